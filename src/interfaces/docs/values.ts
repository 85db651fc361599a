// The numbers that samples show. In sandbox they are the demo merchant's, so that a reader can run a sample as it is. Its key
// is shown only on the machine itself: the gateway's address and the one that the browser used must both be loopback. The
// second check also stops a foreign website whose name was pointed at this machine.
import type { Values } from './article.ts'

export type DemoMerchant = { readonly merNo: number; readonly key: string; readonly site: string }

const STAND_INS = { merNo: 'YOUR_NUMBER', key: 'YOUR_KEY', site: 'shop.example' } as const

/** `host`: the Host header of the request. */
export function valuesFor(
  { sandbox, baseUrl }: { readonly sandbox: boolean; readonly baseUrl: string },
  demo: DemoMerchant | undefined,
  host: string | undefined,
): Values {
  if (!sandbox || demo === undefined) return standIns(sandbox, baseUrl)
  const isLocal = isLoopback(baseUrl) && isLoopback(`http://${host ?? ''}`)
  return {
    sandbox,
    baseUrl,
    merNo: String(demo.merNo),
    site: demo.site,
    key: isLocal ? demo.key : undefined,
  }
}

export function standIns(sandbox: boolean, baseUrl: string): Values {
  return { sandbox, baseUrl, merNo: STAND_INS.merNo, site: STAND_INS.site, key: undefined }
}

function isLoopback(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
}

/** Replaces `{{baseUrl}}`, `{{merNo}}`, `{{key}}` and `{{site}}`. */
export function fillIn(text: string, { baseUrl, merNo, site, key = STAND_INS.key }: Values): string {
  const known = new Map([
    ['baseUrl', baseUrl],
    ['merNo', merNo],
    ['site', site],
    ['key', key],
  ])
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name) => known.get(name) ?? placeholder)
}

/** What the runnable samples read from the environment. */
export function exportLines(values: Values): string {
  return fillIn(
    [
      'export TOLLGATE_URL={{baseUrl}}',
      'export TOLLGATE_MERNO={{merNo}}',
      'export TOLLGATE_SITE={{site}}',
      'export TOLLGATE_KEY={{key}}',
    ].join('\n'),
    values,
  )
}
