// The beneficiary of a payout enters an account on our page. At times the beneficiary first enters a wrong account, or
// enters the same account twice at once.
import type { Actor } from '../operation.ts'
import { PATIENCE_MS, visit } from './browse.ts'
import { CCI, CLABE, home, IBAN, identity } from './payee-accounts.ts'

const accounts: Readonly<Record<string, string>> = {
  card: '4242424242424242',
  bank_account: IBAN,
  pix: '12ABC34501DE35',
  per_transfer: CCI,
  spei: CLABE,
}
const WRONG = '12345'

export async function enterAccount(actor: Actor, about: string, payUrl: string): Promise<void> {
  const { random } = actor
  const payer = { actor, about, payUrl, until: Date.now() + PATIENCE_MS }
  const page = await visit(payer, payUrl)
  const offered = [...(page?.html ?? '').matchAll(/name="kind" value="(\w+)"/g)].map(([, kind = '']) => kind)
  const kind = random.pick(offered)
  if (kind === undefined || random.chance(0.1)) return
  const enter = (account: string) => visit(payer, payUrl, { ...home, ...identity, kind, account })
  if (random.chance(0.2)) await enter(WRONG)
  const times = random.chance(0.15) ? 2 : 1
  await Promise.all(Array.from({ length: times }, () => enter(accounts[kind] ?? WRONG)))
}
