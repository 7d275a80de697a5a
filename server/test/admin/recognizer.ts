/** The services of these tests would hear reels with this model, if they heard any. */
export const recognizer = { model: "whisper-base", revision: 2 };
