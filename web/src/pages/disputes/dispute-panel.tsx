import { Group, Stack, Text, Title } from '@mantine/core'
import { type RowOf, useCall, useSend } from '../../api/use-call.ts'
import { DecideButton } from '../../parts/decide-button.tsx'
import { Download } from '../../parts/download.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { casesWords } from '../../words/cases.ts'
import { useWords } from '../../words/use-words.tsx'
import { DeadlineButton } from './deadline-button.tsx'
import { EvidenceForm } from './evidence-form.tsx'

type State = RowOf<'GET /disputes'>['state']
type Props = { readonly tradeNo: string; readonly back: string; readonly done: () => void }

export const disputeTones: Readonly<Record<State, Tone>> = {
  inquiry: 'waiting',
  closed: 'neutral',
  open: 'waiting',
  won: 'done',
  lost: 'error',
}

export function isUndecided({ state }: { readonly state: State }): boolean {
  return state === 'open' || state === 'inquiry'
}

export function DisputePanel({ tradeNo, back, done }: Props) {
  const cases = useWords(casesWords)
  const found = useCall('GET /disputes/:tradeNo', { params: { tradeNo } })
  const resolve = useSend('POST /disputes/:tradeNo/resolve')
  const may = useMay()
  const decide = (outcome: 'won' | 'lost') => async (reason: string) => {
    await resolve({ params: { tradeNo }, body: { outcome, reason } })
    done()
  }
  return (
    <SidePanel title={cases.dispute} back={back}>
      <Loaded query={found} lines={8}>
        {({ dispute, evidence }) => (
          <Stack gap="lg">
            <Facts
              of={[
                [
                  cases.order,
                  <span key="no" className="mono">
                    {dispute.tradeNo}
                  </span>,
                ],
                [
                  cases.state,
                  <StateLabel key="state" tone={disputeTones[dispute.state]}>
                    {cases.states[dispute.state]}
                  </StateLabel>,
                ],
                [cases.reason, `${dispute.reasonInWords} (${dispute.reason})`],
                [cases.amount, <Money key="amount" value={dispute.money} />],
                [cases.fee, <Money key="fee" value={dispute.fee} />],
                [cases.opened, <Moment key="opened" at={dispute.openedAt} />],
                [cases.answerBy, dispute.answerBy && <Moment key="by" at={dispute.answerBy} />],
                [cases.resolved, dispute.resolvedAt && <Moment key="end" at={dispute.resolvedAt} />],
              ]}
            />
            {dispute.state === 'open' && may('disputes.decide') && (
              <Group gap="xs">
                <DeadlineButton tradeNo={tradeNo} answerBy={dispute.answerBy} />
                <DecideButton
                  label={cases.won}
                  title={cases.wonTitle}
                  hint={cases.wonHint}
                  subject={tradeNo}
                  run={decide('won')}
                />
                <DecideButton
                  label={cases.lost}
                  title={cases.lostTitle}
                  hint={cases.lostHint}
                  danger
                  subject={tradeNo}
                  run={decide('lost')}
                />
              </Group>
            )}
            <Stack gap="sm">
              <Title order={2} size="h5">
                {cases.evidence}
              </Title>
              {evidence.length === 0 && <Text c="dimmed">{cases.noEvidence}</Text>}
              {evidence.map(({ evidenceId, note, file, by, at }) => (
                <div key={evidenceId}>
                  <Text>{note}</Text>
                  <Text size="xs" c="dimmed">
                    {by} <Moment at={at} />
                  </Text>
                  {file !== undefined && (
                    <Download
                      route="GET /disputes/:tradeNo/evidence/:evidenceId"
                      input={{ params: { tradeNo, evidenceId } }}
                    >
                      {file.name}
                    </Download>
                  )}
                </div>
              ))}
              {may('disputes.answer') && <EvidenceForm tradeNo={tradeNo} isOpen={isUndecided(dispute)} />}
            </Stack>
          </Stack>
        )}
      </Loaded>
    </SidePanel>
  )
}
