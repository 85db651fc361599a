// Draws a payload as a QR code and reads it back from the pixels, like a payer's phone.
import jsQR from 'jsqr'
import qrcode from 'qrcode'

const PIXELS_PER_MODULE = 4
const QUIET_MODULES = 4

export function scanQr(payload: string): string | undefined {
  const { modules } = qrcode.create(payload)
  const size = (modules.size + 2 * QUIET_MODULES) * PIXELS_PER_MODULE
  const moduleAt = (pixel: number) => Math.floor(pixel / PIXELS_PER_MODULE) - QUIET_MODULES
  const isOutside = (module: number) => module < 0 || module >= modules.size
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (let at = 0; at < size * size; at++) {
    const [row, column] = [moduleAt(Math.floor(at / size)), moduleAt(at % size)]
    if (isOutside(row) || isOutside(column) || !modules.get(row, column)) continue
    pixels.fill(0, at * 4, at * 4 + 3)
  }
  return jsQR.default(pixels, size, size)?.data
}
