import { BY_PROXY } from '../http/client/why-broken.ts'
import type { Checked } from './protocol.ts'

/** For checks: `todo` is what to look at, unless the proxy is at fault. */
export function notAnswered(who: string, why: string, todo: string): Checked {
  const look = why.startsWith(BY_PROXY) ? 'Check "proxy".' : todo
  return { isRight: false, message: `${who} did not answer: ${why}. ${look}` }
}
