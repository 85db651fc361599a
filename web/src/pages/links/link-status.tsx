import type { Reply } from '../../api/send.ts'
import { formatMoney, Money } from '../../parts/money.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { linksWords } from '../../words/links.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'

export type PaymentLink = Reply<'POST /links'>

const tones: Readonly<Record<PaymentLink['status'], Tone>> = {
  active: 'neutral',
  claimed: 'waiting',
  paid: 'done',
  expired: 'neutral',
  off: 'neutral',
  stopped: 'error',
}

export function LinkStatus({ status }: Pick<PaymentLink, 'status'>) {
  const links = useWords(linksWords)
  return <StateLabel tone={tones[status]}>{links.statuses[status]}</StateLabel>
}

export function LinkAmount({ link: { money, least, most } }: { readonly link: PaymentLink }) {
  const links = useWords(linksWords)
  const { locale } = useLanguage()
  if (money !== undefined) return <Money value={money} />
  if (least !== undefined && most !== undefined)
    return links.between(formatMoney(least, locale), formatMoney(most, locale))
  if (least !== undefined) return links.from(formatMoney(least, locale))
  return most === undefined ? links.open : links.upTo(formatMoney(most, locale))
}
