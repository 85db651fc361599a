import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { momentTyped } from '../../parts/days.ts'
import { formatMoney } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { type BooksWords, booksWords } from '../../words/books.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { RunTable } from './run-table.tsx'
import type { Run } from './verify-result.tsx'

const REFRESH_MS = 2_000

export function SettlementPage() {
  const books = useWords(booksWords)
  const { locale } = useLanguage()
  const may = useMay()
  const found = useCall('GET /settlement/runs', {}, { refetchInterval: REFRESH_MS })
  const [isAsking, setIsAsking] = useState(false)
  return (
    <PageFrame
      title={books.settlement}
      hint={books.settlementHint}
      actions={may('settlement.run') && <Button onClick={() => setIsAsking(true)}>{books.settle}</Button>}
    >
      <RunTable
        query={found}
        result={(run) => <Result run={run} books={books} locale={locale} />}
        empty={<EmptyState title={books.noSettlements} hint={books.noSettlementsHint} />}
      />
      {isAsking && <SettleDialog close={() => setIsAsking(false)} />}
    </PageFrame>
  )
}

function SettleDialog({ close }: { readonly close: () => void }) {
  const books = useWords(booksWords)
  const start = useSend('POST /settlement/runs')
  const [typed, setTyped] = useState('')
  const asOf = momentTyped(typed)
  return (
    <ConfirmDialog
      title={books.settleTitle}
      action={books.settle}
      needsReason
      close={close}
      run={(reason) => start({ body: { reason, ...(asOf !== undefined && { asOf }) } })}
    >
      <TextInput
        type="datetime-local"
        label={books.dueBy}
        description={books.dueByHint}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </ConfirmDialog>
  )
}

type Sum = {
  readonly kind: 'settle' | 'margin'
  readonly currency: string
  readonly orders: number
  readonly amount: string
}

type ResultProps = { readonly run: Run; readonly books: BooksWords; readonly locale: string }

function Result({ run: { state, result }, books, locale }: ResultProps) {
  if (state === 'running') return <StateLabel tone="waiting">{books.running(0, 1)}</StateLabel>
  if (state === 'failed') return <StateLabel tone="error">{String(result?.error ?? books.failed)}</StateLabel>
  const sums = sumsIn(result?.sums)
  const failed = Number(result?.failed ?? 0)
  const waiting = Number(result?.waiting ?? 0)
  const lines = sums.map(({ kind, orders, ...money }) =>
    books.settled(books.sumKinds[kind], formatMoney(money, locale), orders),
  )
  return (
    <>
      <StateLabel tone={failed > 0 ? 'error' : 'done'}>
        {failed > 0 ? books.notSettled(failed) : books.done}
      </StateLabel>{' '}
      {lines.length === 0 && books.nothingDue}
      <ul className="bare-list">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {waiting > 0 && books.waiting(waiting)}
    </>
  )
}

/** Reads the sums in a run's result. The API's types do not describe a run's result. */
function sumsIn(value: unknown): readonly Sum[] {
  return Array.isArray(value) ? value : []
}
