// Plays the payer's phone, in the sandbox only: finds the simulated bank behind the button "Open the app" of the
// gateway's payment page. A real shop does not need this, because a real payer has a real app.
import { webLink } from '../src/platform/pages/page.ts'

const TIMEOUT_MS = 5_000
const appButton = /<a class="button app" href="([^"]+)"/

/** Returns the address of the app. If the payment page has no such button or does not answer, returns `payUrl`. */
export async function payerApp(payUrl: string): Promise<string> {
  const page = await fetch(payUrl, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then((response) => response.text())
    .catch(() => '')
  const [, href = ''] = appButton.exec(page) ?? []
  return webLink(plain(href)) ?? payUrl
}

/** Decodes an attribute of the page, in which special characters are escaped by their codes. */
function plain(html: string): string {
  return html.replace(/&#(\d+);/g, (_entity, code: string) => String.fromCharCode(Number(code)))
}
