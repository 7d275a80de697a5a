import { Cue } from "../../components/cue.tsx";

/** Reels and what is said in them, beside the form. */
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

const texts = [
  "Nobody tells you this about sourdough. Start with less water than you think. Watch the crumb, not the clock. Then cut it while the whole room is quiet. Everybody hears the crack. That sound is the recipe.",
  "Three numbers. No music. I wanted to see who stays for a spreadsheet. Almost everyone did, because the first row was their rent. Show people their own life and they will read a table with you.",
  "We filmed the same line in a kitchen, in the street and in a car. The car won. It always wins. It sounds like a friend who has one minute and something to tell you before the lights change.",
  "Your hook is what they see move. The sentence only has to keep up with it. So move first. Say the second thing first. Leave the greeting for the people who already know your name and like you.",
  "Ten minutes are enough. Write the first line ten times. Read all of them aloud to somebody who is busy. Keep the one that made them look up. Throw the others away and do not look back.",
  "If it needs a caption to make sense, it is not finished. Turn the sound off. Turn it on again. One of the two should be enough. When both work you have something that travels.",
  "I asked forty people what they remember. Nobody named the intro. Thirty named the mistake. So I left the mistake in, and I put it where the intro had been. It costs nothing and it is true.",
  "Small rooms sound better. Put a coat behind the camera. Speak to the coat. It sounds silly and it works on every phone I have tried so far, the cheap ones even more than the others.",
  "This is the whole list. Flour, water, salt and a night of sleep. There is no fourth trick. I have looked for it for nine years, and every time I found the same bowl on the same shelf.",
  "Stop counting followers for a week. Count the sentences that people repeat to you. Mine were four. Last month there were none. That is a number that I can do something about on a Monday.",
  "The wall was broken before I came. I only showed it. Forty openings with a question lost to one shot of a broken hook on a wall. Look around before you write. It may hang there already.",
  "Say it once. Then show it twice. Then leave. People who want more will come back for the slow version, and the others got what they needed while they waited for the kettle to boil.",
];
const hits = [0, 0.4, 0.6, 0.3, 0.5, 0.7, 0.25, 0.45, 0.65, 0.35, 0.5, 0.75];
const examples = texts.map((text, index) => ({ id: `${"abcdefghijkl"[index]}${index + 1}`, text, hit: hits[index]! }));

const exampleColumns = [0, 3, 6, 9].map((start) => examples.slice(start, start + 3));
