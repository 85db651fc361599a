// QR codes as inline SVG. The picture includes the quiet zone, which is white on dark pages too, as scanners require.
import QRCode from 'qrcode'
import { type Html, html } from './page.ts'

const QUIET_MODULES = 4

/** Draws a QR code. `label` is the picture's accessible name. */
export function qrPicture(text: string, label: string): Html {
  const { size, data } = QRCode.create(text, { errorCorrectionLevel: 'M' }).modules
  const whole = size + 2 * QUIET_MODULES
  return html`<svg class="qr" viewBox="0 0 ${whole} ${whole}" role="img" aria-label="${label}" shape-rendering="crispEdges">
<path fill="#fff" d="M0 0h${whole}v${whole}H0z"/><path fill="#000" d="${pathOf(data, size)}"/></svg>`
}

/** Draws each run of dark modules in a row as one rectangle. */
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
