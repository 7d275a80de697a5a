/** Stands where the editor will, as high as with five links. */
export function BioSkeleton() {
  return (
    <div className="bio" role="status" aria-label="Loading the bio page">
      <div className="stack parts" aria-hidden="true">
        <div className="tabs waiting" />
        <div className="links waiting">
          {Array.from({ length: 5 }, (_, index) => (
            <i key={index} />
          ))}
        </div>
      </div>
      <div className="preview" aria-hidden="true">
        <p className="meta">Live preview</p>
        <div className="phone" />
      </div>
    </div>
  );
}
