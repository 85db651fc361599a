import { type RowOf, useList } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { type RiskWords, riskWords } from '../../words/risk.ts'
import { useWords } from '../../words/use-words.tsx'

type Hit = RowOf<'GET /risk/hits'>

export function HitsPage() {
  const risk = useWords(riskWords)
  const list = useList('GET /risk/hits', {})
  return (
    <PageFrame title={risk.hits} hint={risk.hitsHint}>
      <DataTable
        label={risk.hits}
        list={list}
        columns={columnsOf(risk)}
        open={({ tradeNo }) => `/order/${tradeNo}`}
        rowKey={({ tradeNo, attemptNo, sourceId }) => `${tradeNo} ${attemptNo} ${sourceId}`}
        empty={<EmptyState title={risk.noHits} hint={risk.noHitsHint} />}
      />
    </PageFrame>
  )
}

function columnsOf(risk: RiskWords): readonly Column<Hit>[] {
  return [
    { id: 'at', head: risk.at, cell: ({ at }) => <Moment at={at} show="seconds" />, width: '190px' },
    { id: 'action', head: risk.action, cell: (hit) => <HitAction hit={hit} /> },
    { id: 'name', head: risk.rule, cell: ({ name }) => name },
    { id: 'merchant', head: risk.merchant, cell: ({ merNo }) => merNo, width: '110px', wideOnly: true },
    {
      id: 'order',
      head: risk.order,
      cell: ({ tradeNo }) => <span className="mono">{tradeNo}</span>,
      wideOnly: true,
    },
  ]
}

const tones = { refuse: 'error', challenge: 'waiting', review: 'waiting' } as const

function HitAction({ hit: { action, watched } }: { readonly hit: Hit }) {
  const risk = useWords(riskWords)
  const text = risk.actions[action]
  if (watched) return <StateLabel tone="neutral">{risk.watched(text)}</StateLabel>
  return <StateLabel tone={tones[action]}>{text}</StateLabel>
}
