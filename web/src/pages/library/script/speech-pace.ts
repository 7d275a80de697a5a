/** Of a moment of speech a pace says nothing. */
const shortestSpeech = 3;

/** Words a minute, whole. */
export const speechPace = (words: number, speechSeconds: number): number | undefined =>
  speechSeconds < shortestSpeech ? undefined : Math.round((words / speechSeconds) * 60);
