// All about one dispute: its facts, what happens next, the order and the evidence. The buttons stay visible while the
// panel scrolls.
import { Button, List, Stack, Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import type { Reply } from '../../api/send.ts'
import { type RowOf, useCall, useSend } from '../../api/use-call.ts'
import { DecideButton } from '../../parts/decide-button.tsx'
import { Download } from '../../parts/download.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { formatMoney, Money } from '../../parts/money.tsx'
import { Part } from '../../parts/part.tsx'
import { ActionBar, SidePanel } from '../../parts/side-panel.tsx'
import { Loaded } from '../../parts/states.tsx'
import { isOperator, useMay, useMe } from '../../shell/me.tsx'
import { casesWords } from '../../words/cases.ts'
import { disputesWords } from '../../words/disputes.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { DeadlineButton } from './deadline-button.tsx'
import { DisputeState, isUndecided } from './dispute-state.tsx'
import { DisputedOrder } from './disputed-order.tsx'
import { EvidenceForm } from './evidence-form.tsx'
import { WhatNext } from './what-next.tsx'

type Dispute = RowOf<'GET /disputes'>
type Workspace = Reply<'GET /disputes/:tradeNo'>
type Props = { readonly tradeNo: string; readonly back: string; readonly done: () => void }

export function DisputePanel({ tradeNo, back, done }: Props) {
  const cases = useWords(casesWords)
  const noteId = useId()
  const found = useCall('GET /disputes/:tradeNo', { params: { tradeNo } })
  return (
    <SidePanel title={cases.dispute} back={back} wide>
      <Loaded query={found} lines={8}>
        {(workspace) => (
          <>
            <Stack gap="lg">
              <DisputeFacts dispute={workspace.dispute} />
              <WhatNext dispute={workspace.dispute} />
              {workspace.order !== undefined && <DisputedOrder found={workspace.order} />}
              <Evidence workspace={workspace} noteId={noteId} />
            </Stack>
            <Actions dispute={workspace.dispute} noteId={noteId} done={done} />
          </>
        )}
      </Loaded>
    </SidePanel>
  )
}

function DisputeFacts({ dispute }: { readonly dispute: Dispute }) {
  const cases = useWords(casesWords)
  const { tradeNo, reasonInWords, reason, money, fee, openedAt, answerBy, resolvedAt } = dispute
  return (
    <Facts
      of={[
        [
          cases.order,
          <span key="no" className="mono">
            {tradeNo}
          </span>,
        ],
        [cases.state, <DisputeState key="state" of={dispute} />],
        [cases.reason, `${reasonInWords} (${reason})`],
        [cases.amount, <Money key="amount" value={money} />],
        [cases.fee, <Money key="fee" value={fee} />],
        [cases.opened, <Moment key="opened" at={openedAt} />],
        [cases.answerBy, answerBy && <Moment key="by" at={answerBy} />],
        [cases.resolved, resolvedAt && <Moment key="end" at={resolvedAt} />],
      ]}
    />
  )
}

function Evidence({ workspace, noteId }: { readonly workspace: Workspace; readonly noteId: string }) {
  const cases = useWords(casesWords)
  const disputes = useWords(disputesWords)
  const may = useMay()
  const { dispute, category, evidence } = workspace
  const { tradeNo } = dispute
  return (
    <>
      {isUndecided(dispute) && (
        <Part size="h5" title={disputes.asked}>
          <List size="sm" spacing="xs">
            {disputes.asks[category].map((asked) => (
              <List.Item key={asked}>{asked}</List.Item>
            ))}
          </List>
        </Part>
      )}
      <Part size="h5" title={cases.evidence}>
        <Stack gap="sm">
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
          {may('disputes.answer') && (
            <EvidenceForm tradeNo={tradeNo} isOpen={isUndecided(dispute)} noteId={noteId} />
          )}
        </Stack>
      </Part>
    </>
  )
}

type ActionsProps = { readonly dispute: Dispute; readonly noteId: string; readonly done: () => void }

function Actions({ dispute, noteId, done }: ActionsProps) {
  const disputes = useWords(disputesWords)
  const may = useMay()
  const me = useMe()
  const actions: ReactNode[] = []
  if (isUndecided(dispute) && may('disputes.answer'))
    actions.push(
      <Button key="contest" size="xs" onClick={() => document.getElementById(noteId)?.focus()}>
        {disputes.contest}
      </Button>,
    )
  if (dispute.state === 'open' && may('disputes.answer') && !isOperator(me))
    actions.push(<AcceptButton key="accept" dispute={dispute} />)
  if (dispute.state === 'open' && may('disputes.decide'))
    actions.push(<DecisionButtons key="decide" dispute={dispute} done={done} />)
  return actions.length > 0 && <ActionBar>{actions}</ActionBar>
}

/**
 * The button with which a merchant accepts a dispute. The button adds a note to the evidence for the operator. No money
 * moves.
 */
function AcceptButton({ dispute: { tradeNo, money, fee } }: Pick<ActionsProps, 'dispute'>) {
  const disputes = useWords(disputesWords)
  const { locale } = useLanguage()
  const add = useSend('POST /disputes/:tradeNo/evidence')
  return (
    <DecideButton
      label={disputes.accept}
      title={disputes.acceptTitle}
      hint={disputes.acceptHint(formatMoney(money, locale), formatMoney(fee, locale))}
      subject={tradeNo}
      run={(reason) => add({ params: { tradeNo }, body: { note: disputes.acceptNote(reason) } })}
    />
  )
}

function DecisionButtons({ dispute: { tradeNo, answerBy }, done }: Omit<ActionsProps, 'noteId'>) {
  const cases = useWords(casesWords)
  const resolve = useSend('POST /disputes/:tradeNo/resolve')
  const decide = (outcome: 'won' | 'lost') => async (reason: string) => {
    await resolve({ params: { tradeNo }, body: { outcome, reason } })
    done()
  }
  return (
    <>
      <DecideButton
        label={cases.lost}
        title={cases.lostTitle}
        hint={cases.lostHint}
        danger
        subject={tradeNo}
        run={decide('lost')}
      />
      <DecideButton
        label={cases.won}
        title={cases.wonTitle}
        hint={cases.wonHint}
        subject={tradeNo}
        run={decide('won')}
      />
      <DeadlineButton tradeNo={tradeNo} answerBy={answerBy} />
    </>
  )
}
