/** Advice for operators on whose machines no videos can be made. */
export const videoAdvice =
  "Subtitled videos need ffmpeg with libass and libx264, and fonts, on the machines that transcribe. On Debian or Ubuntu: apt-get install ffmpeg fonts-noto-core. Then restart the service.";
