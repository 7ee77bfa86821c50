const STEP = 64 * 1024

/**
 * A text and one more piece of it. V8 keeps the pieces of a text that is put together, each at many times its size, until
 * somebody reads in it. So it is read from time to time: every 64 K characters, then every quarter that it has grown by.
 */
export function extended(text: string, piece: string): string {
  const whole = text + piece
  const step = Math.max(STEP, 2 ** Math.floor(Math.log2(whole.length / 4)))
  if (Math.floor(whole.length / step) > Math.floor(text.length / step)) whole.lastIndexOf(piece)
  return whole
}
