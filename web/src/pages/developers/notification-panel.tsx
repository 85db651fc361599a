import { Alert, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { CodeView } from '../../parts/code-view.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { plainCause } from '../../parts/plain-cause.ts'
import { SidePanel } from '../../parts/side-panel.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { Loaded } from '../../parts/states.tsx'
import { type Happening, Timeline } from '../../parts/timeline.tsx'
import { useMay } from '../../shell/me.tsx'
import { type DevelopersWords, developersWords } from '../../words/developers.ts'
import { type FieldText, fieldTextWords } from '../../words/field-text.ts'
import { useWords } from '../../words/use-words.tsx'
import { pretty } from './request-panel.tsx'
import { useDeveloperWords } from './use-developer-words.ts'

type Whole = Reply<'GET /notifications/:notificationId'>

const tones: Readonly<Record<Whole['state'], Tone>> = {
  pending: 'waiting',
  retrying: 'error',
  delivered: 'done',
  failed: 'error',
}

export function NotificationPanel({
  notificationId,
  back,
}: {
  readonly notificationId: string
  readonly back: string
}) {
  const developers = useWords(developersWords)
  const reasonOf = useWords(fieldTextWords)
  const found = useCall('GET /notifications/:notificationId', { params: { notificationId } })
  return (
    <SidePanel title={developers.notification} back={back} wide>
      <Loaded query={found} lines={12}>
        {(whole) => (
          <Stack gap="lg">
            <Resend notificationId={notificationId} />
            <NotificationFacts of={whole} />
            {whole.body === null ? (
              <Text c="dimmed">{developers.notPrepared}</Text>
            ) : (
              <CodeView label={developers.body} value={readable(whole.body, whole.contentType)} />
            )}
            <Timeline of={whole.deliveries.map((one) => toHappening(one, developers, reasonOf))} />
          </Stack>
        )}
      </Loaded>
    </SidePanel>
  )
}

function NotificationFacts({ of }: { readonly of: Whole }) {
  const developers = useWords(developersWords)
  const reasonOf = useWords(fieldTextWords)
  const moment = (at: string | null) => at !== null && <Moment at={at} show="seconds" />
  return (
    <Facts
      of={[
        [developers.state, <NotificationState key="state" state={of.state} />],
        [developers.event, developers.events[of.event]],
        [
          developers.trade,
          <span key="trade" className="mono">
            {of.tradeNo}
          </span>,
        ],
        [developers.url, of.url],
        [developers.acknowledgedBy, of.acknowledgedBy.join(' / ')],
        [developers.at, moment(of.madeAt)],
        [
          developers.lastFailure,
          of.error !== null && of.state !== 'delivered' ? reasonOf(plainCause(of.error)) : null,
        ],
        [developers.nextAt, moment(of.dueAt) || null],
        [developers.deliveredAt, moment(of.deliveredAt) || null],
        [developers.failedAt, moment(of.failedAt) || null],
      ]}
    />
  )
}

function Resend({ notificationId }: { readonly notificationId: string }) {
  const developers = useWords(developersWords)
  const may = useMay()
  const resend = useSend('POST /notifications/:notificationId/resend')
  const [isDone, setIsDone] = useState(false)
  if (!may('notifications.resend')) return null
  if (isDone) return <Alert color="teal">{developers.resent}</Alert>
  const run = async () => {
    await resend({ params: { notificationId } })
    setIsDone(true)
  }
  return <ActionButton run={run}>{developers.resend}</ActionButton>
}

function toHappening(
  one: Whole['deliveries'][number],
  words: DevelopersWords,
  reasonOf: FieldText,
): Happening {
  const { attemptNo, startedAt, finishedAt, status, latencyMs, answer, error } = one
  const failure = error === null ? undefined : reasonOf(plainCause(error))
  const result = finishedAt === null ? words.underWay : (failure ?? String(status ?? words.noAnswer))
  const took = latencyMs === null ? '' : ` · ${words.ms(latencyMs)}`
  return {
    key: String(attemptNo),
    at: startedAt,
    title: `${words.attempt(attemptNo)}: ${result}${took}`,
    tone: finishedAt === null ? 'waiting' : error === null ? 'done' : 'error',
    ...(answer !== null && { details: <CodeView label={words.answer} value={answer} /> }),
  }
}

/** Formats a body for reading. A form gets one line per field. */
function readable(body: string, contentType: Whole['contentType']): string {
  if (contentType === 'json') return pretty(body)
  return [...new URLSearchParams(body)].map(([name, value]) => `${name} = ${value}`).join('\n')
}

export function NotificationState({ state }: { readonly state: Whole['state'] }) {
  const developers = useDeveloperWords()
  return <StateLabel tone={tones[state]}>{developers.states[state]}</StateLabel>
}
