/** Every n-th of `count` places, from the first, so that labels of `label` pixels stand apart on `width` pixels. */
export function spacedIndices(count: number, width: number, label: number): readonly number[] {
  if (count === 0) return [];
  const fitting = Math.max(1, Math.floor(width / label));
  const every = Math.ceil(count / fitting);
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every);
}
