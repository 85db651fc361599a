import type { RowOf } from '../../api/use-call.ts'
import { formatMoney, type MoneyValue } from '../../parts/money.tsx'
import { decideWords } from '../../words/decide.ts'
import { type Language, locales } from '../../words/language.ts'
import { payoutsWords } from '../../words/payouts.ts'

type Approval = Pick<RowOf<'GET /approvals'>, 'kind' | 'subject' | 'action'>

export function describeApproval({ kind, subject, action }: Approval, language: Language): string {
  const decide = decideWords[language]
  const payouts = payoutsWords[language]
  const { as, of, tradeNo, refundNo, from, to, amount = '', currency = '', channel, lines } = action
  const facts: Readonly<Record<Approval['kind'], readonly (string | undefined)[]>> = {
    outcome: [nameIn(decide.of, of), nameIn(decide.recordAs, as), refundNo ?? tradeNo],
    correction: [formatMoney({ amount, currency }, locales[language]), `${from} → ${to}`],
    suspense: [nameIn(decide.suspenseAs, as), channel, tradeNo],
    payouts: [
      decide.payoutsOf(Number(lines), inWords(totalsIn(action), locales[language])),
      action.name,
      ...(action.why ?? '').split(', ').map((why) => nameIn(payouts.because, why)),
    ],
    beneficiary: [action.label, action.account, nameIn(payouts.kinds, of), currency],
    owner: [nameIn(decide.ownerSteps, action.step), subject, action.name],
  }
  return facts[kind].filter((fact) => fact !== undefined && fact !== '').join(' · ')
}

/** Reads the totals of payouts. The approval stores them as a text such as `10.00 EUR, 12.50 USD`. */
export function totalsIn({ total }: Approval['action']): readonly MoneyValue[] {
  return (total ?? '').split(', ').flatMap((one) => {
    const [amount = '', currency] = one.split(' ')
    return currency === undefined ? [] : [{ amount, currency }]
  })
}

function inWords(totals: readonly MoneyValue[], locale: string): string {
  return new Intl.ListFormat(locale).format(totals.map((one) => formatMoney(one, locale)))
}

export function pathOfApproval({ kind, subject, action: { of, tradeNo } }: Approval): string | undefined {
  if (kind === 'payouts') return `/payouts/runs/${subject}`
  return tradeNo === undefined || of === 'payout' ? undefined : `/order/${tradeNo}`
}

/** Returns the name of a value. If the server is newer and sends an unknown value, returns the value unchanged. */
function nameIn(names: Readonly<Record<string, string>>, name = ''): string {
  return names[name] ?? name
}
