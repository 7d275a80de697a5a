/** What the services of these tests would hear reels with. */
export const recognizer = { model: "whisper-base", revision: 2 };
