import { Cue } from "../../components/cue/cue.tsx";
import { exampleColumns } from "./example-columns.ts";

/** Decoration: cues in rows, and what they say in front of them. */
export function SignInStage() {
  return (
    <div className="stage" aria-hidden="true">
      <div className="frames">
        {exampleColumns.map((column, index) => (
          <div key={index}>
            {column.map(({ id, text, hit }) => (
              <Cue key={id} id={id} text={text} hit={hit} />
            ))}
          </div>
        ))}
      </div>
      <div className="speech">
        <p>
          <span className="strip">So the first thing I do is nothing at all.</span>
        </p>
        <p lang="hi">
          <span className="strip">पहले तीन सेकंड सुनिए</span>
        </p>
        <p>
          <span className="strip yellow">and then you say one line</span>
        </p>
        <p lang="ar" dir="rtl">
          <span className="strip">ابدأ بالنتيجة</span>
        </p>
        <p lang="es">
          <span className="strip">Lo demás es prueba.</span>
        </p>
      </div>
    </div>
  );
}
