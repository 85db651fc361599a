import { Group, Stack, Title } from '@mantine/core'
import { type RowOf, useCall, useSend } from '../../api/use-call.ts'
import { DecideButton } from '../../parts/decide-button.tsx'
import { Download } from '../../parts/download.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Money } from '../../parts/money.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { casesWords } from '../../words/cases.ts'
import { useWords } from '../../words/use-words.tsx'
import { AnswerForm } from './answer-form.tsx'
import { RejectButton } from './reject-button.tsx'

export function reviewTone(state: RowOf<'GET /reviews'>['state']): Tone {
  if (state === 'approved') return 'done'
  return state === 'rejected' ? 'error' : 'waiting'
}

export function ReviewPanel({ tradeNo, back }: { readonly tradeNo: string; readonly back: string }) {
  const cases = useWords(casesWords)
  const params = { tradeNo }
  const found = useCall('GET /reviews/:tradeNo', { params })
  const approve = useSend('POST /reviews/:tradeNo/approve')
  const ask = useSend('POST /reviews/:tradeNo/ask')
  const may = useMay()
  const infoNames: Readonly<Record<string, string>> = cases.info
  const proofNames: Readonly<Record<string, string>> = cases.proof
  return (
    <SidePanel title={cases.review} back={back}>
      <Loaded query={found} lines={8}>
        {(review) => (
          <Stack gap="lg">
            <Facts
              of={[
                [
                  cases.order,
                  <span key="no" className="mono">
                    {tradeNo}
                  </span>,
                ],
                [
                  cases.state,
                  <StateLabel key="state" tone={reviewTone(review.state)}>
                    {cases.reviewStates[review.state]}
                  </StateLabel>,
                ],
                [cases.amount, <Money key="amount" value={review.money} />],
                [cases.operatorNote, review.note],
                ...Object.entries(review.info).map(
                  ([name, value]) => [infoNames[name] ?? name, value] as const,
                ),
              ]}
            />
            {review.files.length > 0 && (
              <Stack gap="xs" align="flex-start">
                <Title order={2} size="h5">
                  {cases.files}
                </Title>
                {review.files.map(({ fileId, proves, suffix }) => (
                  <Download
                    key={fileId}
                    route="GET /reviews/:tradeNo/files/:fileId"
                    input={{ params: { tradeNo, fileId } }}
                  >
                    {`${proofNames[proves] ?? proves} (${suffix})`}
                  </Download>
                ))}
              </Stack>
            )}
            {may('reviews.decide') && (review.state === 'asked' || review.state === 'submitted') && (
              <Group gap="xs">
                <DecideButton
                  label={cases.approve}
                  title={cases.approveTitle}
                  hint={cases.approveHint}
                  subject={tradeNo}
                  run={(reason) => approve({ params, body: { reason } })}
                />
                {review.state === 'submitted' && (
                  <DecideButton
                    label={cases.ask}
                    title={cases.askTitle}
                    hint={cases.noteHint}
                    reasonName="note"
                    subject={tradeNo}
                    run={(note) => ask({ params, body: { note } })}
                  />
                )}
                <RejectButton tradeNo={tradeNo} />
              </Group>
            )}
            {may('reviews.answer') && <AnswerForm tradeNo={tradeNo} isOpen={review.state === 'asked'} />}
          </Stack>
        )}
      </Loaded>
    </SidePanel>
  )
}
