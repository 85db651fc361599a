// The pictures of the products: flat drawings of our own. The colours come from the style sheet, so the pictures suit a
// dark page too.
import { type Html, html } from '../src/platform/pages/page.ts'

function drawing(shapes: Html): Html {
  return html`<svg class="drawing" viewBox="0 0 160 120" aria-hidden="true">${shapes}</svg>`
}

export const mug = drawing(html`<path class="line thin" d="M64 26c-5-6 5-9 0-15m17 15c-5-6 5-9 0-15"/>
<path class="line" d="M104 50h9a13 13 0 0 1 0 28h-9"/>
<path class="tone" d="M44 36h60v50a16 16 0 0 1-16 16H60a16 16 0 0 1-16-16z"/><path class="shade" d="M44 36h60v9H44z"/>
<g class="light"><circle cx="58" cy="60" r="2"/><circle cx="74" cy="68" r="2.5"/><circle cx="90" cy="58" r="2"/><circle cx="64" cy="82" r="2.5"/><circle cx="86" cy="84" r="2"/></g>`)

export const blanket = drawing(html`<rect class="tone" x="30" y="74" width="96" height="24" rx="12"/>
<rect class="shade" x="30" y="50" width="96" height="24" rx="12"/><rect class="tone" x="30" y="26" width="96" height="24" rx="12"/>
<path class="line light-line" d="M56 26v24m10-24v24M56 74v24m10-24v24"/>
<path class="line thin" d="M126 34h8m-8 6h8m-8 42h8m-8 6h8m-8-30h8m-8 6h8"/>`)

export const lantern = drawing(html`<path class="line" d="M62 32a18 18 0 0 1 36 0"/>
<path class="shade" d="m56 42 9-14h30l9 14z"/><rect class="light" x="60" y="42" width="40" height="46"/>
<path class="glow" d="M80 50c8 9 11 15 11 21a11 11 0 0 1-22 0c0-6 3-12 11-21z"/>
<path class="line" d="M60 42v46m40-46v46"/><rect class="shade" x="53" y="88" width="54" height="14" rx="4"/>`)

export const notebook = drawing(html`<rect class="light" x="54" y="22" width="66" height="80" rx="4"/>
<rect class="tone" x="48" y="18" width="66" height="82" rx="6"/><path class="shade" d="M54 18h9v82h-9a6 6 0 0 1-6-6V24a6 6 0 0 1 6-6z"/>
<rect class="light" x="72" y="34" width="24" height="16" rx="2"/><path class="line thin" d="M77 40h14m-14 5h9"/>
<path class="line glow-line" d="M104 18v82"/>`)

export const bag = drawing(html`<path class="line" d="M58 48V38a22 20 0 0 1 44 0v10"/>
<path class="tone" d="M38 46h84l-6 50a8 8 0 0 1-8 7H52a8 8 0 0 1-8-7z"/><path class="shade" d="M38 46h84l-4 18c-10 12-66 12-76 0z"/>
<rect class="light" x="73" y="64" width="14" height="18" rx="3"/><path class="line thin" d="M80 70v6"/>`)

export const compass =
  drawing(html`<circle class="line" cx="80" cy="18" r="7"/><circle class="tone" cx="80" cy="66" r="40"/>
<circle class="light" cx="80" cy="66" r="31"/><path class="line thin" d="M80 38v6m0 44v6M52 66h6m44 0h6"/>
<path class="glow" d="m96 50-11 21-10-10z"/><path class="shade" d="m64 82 11-21 10 10z"/>`)

export const flask = drawing(html`<path class="shade" d="M66 14h28a4 4 0 0 1 4 4v18H62V18a4 4 0 0 1 4-4z"/>
<path class="tone" d="M58 36h44v60a8 8 0 0 1-8 8H66a8 8 0 0 1-8-8z"/><path class="light" d="M58 60h44v16H58z"/>
<path class="line thin" d="M62 24h36M68 84v12"/>`)

export const map = drawing(
  html`<path class="tone" d="m32 32 24-10v70l-24 10z"/><path class="light" d="m56 22 24 10v70L56 92z"/>
<path class="tone" d="m80 32 24-10v70l-24 10z"/><path class="light" d="m104 22 24 10v70l-24-10z"/>
<path class="line dashed" d="M42 86c12-30 26 2 40-20s18-14 30-22"/>
<path class="glow" d="M116 28a8 8 0 0 1 8 8c0 6-8 14-8 14s-8-8-8-14a8 8 0 0 1 8-8z"/>`,
)
