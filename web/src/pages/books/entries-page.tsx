import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { endOfDay } from '../../parts/days.ts'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { type FilterValues, useFilters } from '../../parts/use-filters.ts'
import { useMay } from '../../shell/me.tsx'
import { type BooksWords, booksWords } from '../../words/books.ts'
import { type LedgerWords, ledgerWords, stepInWords } from '../../words/ledger.ts'
import { useWords } from '../../words/use-words.tsx'
import { CorrectButton } from './correct-button.tsx'

type Entry = RowOf<'GET /books/entries'>

const names = ['merNo', 'kind', 'subject', 'until'] as const
const kinds = ['orders', 'refunds', 'chargebacks', 'corrections'] as const

export function EntriesPage() {
  const books = useWords(booksWords)
  const may = useMay()
  const filters = useFilters(names)
  const choices = kinds.map((value) => ({ value, label: books.kinds[value] }))
  return (
    <PageFrame
      title={books.entries}
      hint={books.entriesHint}
      actions={may('books.correct') && <CorrectButton merNo={filters.values.merNo ?? ''} />}
    >
      <FilterBar
        filters={filters}
        of={[
          { kind: 'merchant', name: 'merNo', label: books.merchant },
          { kind: 'choice', name: 'kind', label: books.kind, choices },
          { kind: 'text', name: 'subject', label: books.subject },
        ]}
      />
      <Entries of={filters.values} />
    </PageFrame>
  )
}

function Entries({
  of: { merNo, kind, subject, until },
}: {
  readonly of: FilterValues<(typeof names)[number]>
}) {
  const books = useWords(booksWords)
  const ledger = useWords(ledgerWords)
  const wanted = kinds.find((one) => one === kind)
  const last = endOfDay(until)
  const list = useList('GET /books/entries', {
    query: {
      ...(merNo !== undefined && { merNo: Number(merNo) }),
      ...(wanted !== undefined && { kind: wanted }),
      ...(subject !== undefined && { subject }),
      ...(last !== undefined && { until: last }),
    },
  })
  return (
    <DataTable
      label={books.entries}
      list={list}
      columns={columnsOf(books, ledger, merNo === undefined)}
      rowKey={(entry) => `${entry.merNo} ${entry.subject} ${entry.step}`}
      empty={<EmptyState title={books.noEntries} hint={books.noEntriesHint} />}
    />
  )
}

function columnsOf(books: BooksWords, ledger: LedgerWords, isOfMany: boolean): readonly Column<Entry>[] {
  const merchant: Column<Entry> = {
    id: 'merchant',
    head: books.merchant,
    width: '100px',
    wideOnly: true,
    cell: ({ merNo }) => merNo,
  }
  return [
    { id: 'subject', head: books.subject, cell: ({ subject }) => <span className="mono">{subject}</span> },
    ...(isOfMany ? [merchant] : []),
    {
      id: 'step',
      head: books.step,
      width: '130px',
      cell: ({ step }) => <span title={step}>{stepInWords(ledger, step)}</span>,
    },
    {
      id: 'debit',
      head: books.debit,
      width: '170px',
      cell: ({ debit }) => debit,
      wideOnly: true,
    },
    {
      id: 'credit',
      head: books.credit,
      width: '170px',
      cell: ({ credit }) => credit,
      wideOnly: true,
    },
    {
      id: 'amount',
      head: books.amount,
      cell: ({ amount, currency }) => <Money value={{ amount, currency }} />,
      align: 'end',
      width: '130px',
    },
    {
      id: 'at',
      head: books.at,
      width: '190px',
      cell: ({ at }) => <Moment at={at} show="seconds" />,
      wideOnly: true,
    },
  ]
}
