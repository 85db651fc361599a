// The actions on an open difference: decide about its money, see its outcome, or explain it.
import { Button, Group } from '@mantine/core'
import { Link } from 'wouter'
import { type RowOf, useSend } from '../../api/use-call.ts'
import { AssignButton } from '../../parts/assign-button.tsx'
import { DecideButton } from '../../parts/decide-button.tsx'
import { useMay } from '../../shell/me.tsx'
import { decideWords } from '../../words/decide.ts'
import { reconciliationWords } from '../../words/reconciliation.ts'
import { useWords } from '../../words/use-words.tsx'

export type Difference = RowOf<'GET /reconciliation/statements/:statementId/differences'>

type Props = { readonly statementId: string; readonly difference: Difference }

export function DifferenceActions({ statementId, difference }: Props) {
  const reconciliation = useWords(reconciliationWords)
  const decide = useWords(decideWords)
  const may = useMay()
  const accept = useSend('POST /suspense/:suspenseId/accept')
  const giveBack = useSend('POST /suspense/:suspenseId/return')
  const explain = useSend('POST /reconciliation/statements/:statementId/differences/:no/explain')
  const { no, kind, suspenseId, tradeNo } = difference
  return (
    <Group gap="xs" justify="flex-end">
      {kind === 'open here' && (
        <Button component={Link} href="/queues/outcomes" size="xs" variant="default">
          {reconciliation.toOutcomes}
        </Button>
      )}
      {suspenseId !== undefined && may('suspense.decide') && (
        <>
          {tradeNo === undefined ? (
            <AssignButton suspenseId={suspenseId} />
          ) : (
            <DecideButton
              label={decide.accept}
              title={decide.acceptTitle}
              hint={decide.acceptHint}
              subject={suspenseId}
              run={(reason) => accept({ params: { suspenseId }, body: { reason } })}
            />
          )}
          <DecideButton
            label={decide.giveBack}
            title={decide.giveBackTitle}
            hint={decide.giveBackHint}
            danger
            subject={suspenseId}
            run={(reason) => giveBack({ params: { suspenseId }, body: { reason } })}
          />
        </>
      )}
      {may('reconciliation.edit') && (
        <DecideButton
          label={reconciliation.explain}
          title={reconciliation.explainTitle}
          hint={reconciliation.explainHint}
          run={(reason) => explain({ params: { statementId, no }, body: { reason } })}
        />
      )}
    </Group>
  )
}
