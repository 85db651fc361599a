// Plays the payer's phone, in the sandbox only: finds the simulated bank behind the button "Open the app" of the gateway's
// payment page. A real shop has nothing like it, because a real payer has a real app.
import { webLink } from '../src/pages/page.ts'

const TIMEOUT_MS = 5_000
const appButton = /<a class="button app" href="([^"]+)"/

/** Where the payer pays; the payment page itself if it has no such button, or does not answer. */
export async function payerApp(payUrl: string): Promise<string> {
  const page = await fetch(payUrl, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then((response) => response.text())
    .catch(() => '')
  const [, href = ''] = appButton.exec(page) ?? []
  return webLink(plain(href)) ?? payUrl
}

/** Attributes of the page are escaped by character codes. */
function plain(html: string): string {
  return html.replace(/&#(\d+);/g, (_entity, code: string) => String.fromCharCode(Number(code)))
}
