// QR codes as inline SVG. The quiet zone is part of the picture and always white, even on a dark page, because scanners
// need it.
import QRCode from 'qrcode'
import { type Html, html } from './page.ts'

const QUIET_MODULES = 4

/** Returns the picture of a QR code. `label` is its accessible name. */
export function qrPicture(text: string, label: string): Html {
  const { size, data } = QRCode.create(text, { errorCorrectionLevel: 'M' }).modules
  const whole = size + 2 * QUIET_MODULES
  return html`<svg class="qr" viewBox="0 0 ${whole} ${whole}" role="img" aria-label="${label}" shape-rendering="crispEdges">
<path fill="#fff" d="M0 0h${whole}v${whole}H0z"/><path fill="#000" d="${pathOf(data, size)}"/></svg>`
}

/** Returns an SVG path. Each run of dark modules in a row is one rectangle. */
function pathOf(data: Uint8Array, size: number): string {
  const rows = Array.from({ length: size }, (_, row) => {
    const modules = Array.from(data.subarray(row * size, (row + 1) * size), (dark) =>
      dark ? '1' : '0',
    ).join('')
    return [...modules.matchAll(/1+/g)].map(
      (run) => `M${run.index + QUIET_MODULES} ${row + QUIET_MODULES}h${run[0].length}v1h-${run[0].length}z`,
    )
  })
  return rows.flat().join('')
}
