// The reserves by merchant. A side panel shows the days on which a merchant's reserve is released.
import { useParams } from 'wouter'
import { useCall } from '../../api/use-call.ts'
import { DueTable } from '../../parts/due-table.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { booksWords } from '../../words/books.ts'
import { useWords } from '../../words/use-words.tsx'
import { ReserveTable } from './reserve-table.tsx'

const PATH = '/books/reserves'

export function ReservesPage() {
  const books = useWords(booksWords)
  const { merNo } = useParams<{ merNo?: string }>()
  const found = useCall('GET /reserves', {})
  return (
    <PageFrame title={books.reserves} hint={books.reservesHint}>
      <Loaded query={found} lines={8}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title={books.noReserves} hint={books.noReservesHint} />
          ) : (
            <ReserveTable rows={rows} path={PATH} />
          )
        }
      </Loaded>
      {merNo !== undefined && <Releases merNo={Number(merNo)} />}
    </PageFrame>
  )
}

function Releases({ merNo }: { readonly merNo: number }) {
  const books = useWords(booksWords)
  const found = useCall('GET /reserves/:merNo', { params: { merNo } })
  return (
    <SidePanel title={found.data?.name ?? String(merNo)} back={PATH}>
      <Loaded query={found} lines={6}>
        {({ days }) =>
          days.length === 0 ? (
            <EmptyState title={books.noReserves} hint={books.noReservesHint} />
          ) : (
            <DueTable label={books.releases} when={books.releasedOn} rows={days} />
          )
        }
      </Loaded>
    </SidePanel>
  )
}
