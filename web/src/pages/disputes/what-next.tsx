// Sentences that say what happens next in a dispute, with dates and amounts.
import { List } from '@mantine/core'
import type { RowOf } from '../../api/use-call.ts'
import { formatMoment } from '../../parts/moment.tsx'
import { formatMoney } from '../../parts/money.tsx'
import { Part } from '../../parts/part.tsx'
import { type DisputesWords, disputesWords } from '../../words/disputes.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'

type Dispute = RowOf<'GET /disputes'>

export function WhatNext({ dispute }: { readonly dispute: Dispute }) {
  const disputes = useWords(disputesWords)
  const { locale } = useLanguage()
  return (
    <Part size="h5" title={disputes.next}>
      <List size="sm" spacing="xs">
        {sentencesOf(dispute, disputes, locale).map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
    </Part>
  )
}

function sentencesOf(dispute: Dispute, words: DisputesWords, locale: string): readonly string[] {
  const { openedAt, answerBy, resolvedAt = openedAt, isOverdue } = dispute
  const amount = formatMoney(dispute.money, locale)
  const fee = formatMoney(dispute.fee, locale)
  const dayOf = (at: string) => formatMoment(at, locale, 'date')
  const until = (inTime: (day: string) => string, late: (day: string) => string) =>
    answerBy === undefined ? [] : [(isOverdue ? late : inTime)(dayOf(answerBy))]
  switch (dispute.state) {
    case 'inquiry':
      return [
        words.inquiry,
        ...until(words.inquiryUntil, words.inquiryLate),
        words.inquiryIgnored(amount),
        words.noRefund,
      ]
    case 'open':
      return [
        words.taken(amount, fee, dayOf(openedAt)),
        ...until(words.contestUntil, words.contestLate),
        words.letLose,
        words.ifWon(amount, fee),
        words.ifLost(amount, fee),
      ]
    case 'won':
      return [words.won(amount, fee, dayOf(resolvedAt))]
    case 'lost':
      return [words.lost(amount, fee, dayOf(resolvedAt))]
    case 'closed':
      return [words.closed(dayOf(resolvedAt))]
  }
}
