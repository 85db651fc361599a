// The values that samples show. In sandbox these are the demo merchant's values, if there is a demo merchant, so that a
// reader can run a sample unchanged. The demo merchant's key is shown only if both conditions are met: only this
// machine can reach the gateway, and the browser used a loopback address. The second condition stops a foreign website
// whose name resolves to this machine (DNS rebinding).
import type { Values } from './article.ts'

export type DemoMerchant = { readonly merNo: number; readonly key: string; readonly site: string }

const STAND_INS = { merNo: 'YOUR_NUMBER', key: 'YOUR_KEY', site: 'shop.example' } as const

export function valuesFor(
  { sandbox, isLocal, baseUrl }: { sandbox: boolean; isLocal: boolean; baseUrl: string },
  demo: DemoMerchant | undefined,
  host: string | undefined,
): Values {
  if (!sandbox || demo === undefined) return standIns(sandbox, baseUrl)
  return {
    sandbox,
    baseUrl,
    merNo: String(demo.merNo),
    site: demo.site,
    key: isLocal && isLoopback(`http://${host ?? ''}`) ? demo.key : undefined,
  }
}

export function standIns(sandbox: boolean, baseUrl: string): Values {
  return { sandbox, baseUrl, merNo: STAND_INS.merNo, site: STAND_INS.site, key: undefined }
}

function isLoopback(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
}

export function fillIn(text: string, { baseUrl, merNo, site, key = STAND_INS.key }: Values): string {
  const known = new Map([
    ['baseUrl', baseUrl],
    ['merNo', merNo],
    ['site', site],
    ['key', key],
  ])
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name) => known.get(name) ?? placeholder)
}

/** Returns the commands that set the environment variables of the runnable samples. */
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
