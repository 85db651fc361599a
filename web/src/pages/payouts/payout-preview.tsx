// The preview of payouts: every line with its problem, the totals and the balances, and whether a second person must
// approve.
import { Alert, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { call } from '../../api/call.ts'
import type { Refusal } from '../../api/refusal.ts'
import type { Reply } from '../../api/send.ts'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Money } from '../../parts/money.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useForm } from '../../parts/use-form.ts'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'
import { CheckedLines } from './checked-lines.tsx'

export type Entered = {
  /** The idempotency key of the run. */
  readonly key: string
  readonly lines?: readonly Readonly<Record<string, string>>[]
  readonly csv?: string
  readonly name?: string
}

export function newKey(): string {
  return crypto.randomUUID()
}

type Checked = Reply<'POST /payouts/check'>

/** The query that checks the payouts. The form and its preview share its result, so each input is checked only once. */
export function checkOf(entered: Entered) {
  return {
    queryKey: ['payouts/check', entered.key],
    queryFn: () => call('POST /payouts/check', { body: contentOf(entered) }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  } as const
}

export function PayoutPreview({ entered }: { readonly entered: Entered }) {
  const checked = useQuery<Checked, Refusal>(checkOf(entered))
  return <Loaded query={checked}>{(found) => <Preview entered={entered} checked={found} />}</Loaded>
}

function contentOf({ lines, csv }: Entered) {
  return { ...(lines && { lines: lines.map((line) => ({ ...line })) }), ...(csv !== undefined && { csv }) }
}

function Preview({ entered, checked }: { readonly entered: Entered; readonly checked: Checked }) {
  const payouts = useWords(payoutsWords)
  const [, goTo] = useLocation()
  const start = useSend('POST /payouts/runs')
  const { lines, totals, problems, secondPerson } = checked
  const form = useForm({ reason: '' }, async ({ reason }) => {
    const { key, name = '' } = entered
    const { runId } = await start({ body: { ...contentOf(entered), key, name, reason } })
    goTo(`/payouts/runs/${runId}`)
  })
  return (
    <Stack gap="md">
      <Text fw={600}>{payouts.checked(lines.length - problems, lines.length)}</Text>
      <CheckedLines lines={lines} />
      {lines.some(({ coin }) => coin !== undefined) && <Text c="dimmed">{payouts.coinHint}</Text>}
      <table className="data-table" aria-label={payouts.total}>
        <thead>
          <tr>
            <th scope="col" className="at-end">
              {payouts.total}
            </th>
            <th scope="col" className="at-end">
              {payouts.fees}
            </th>
            <th scope="col" className="at-end">
              {payouts.available}
            </th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ money, fees, available }) => (
            <tr key={money.currency}>
              <td className="at-end">
                <Money value={money} />
              </td>
              <td className="at-end">
                <Money value={fees} />
              </td>
              <td className="at-end">
                <Money value={available} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {problems === 0 && (
        <Stack gap="md" maw={520}>
          {secondPerson.length > 0 && (
            <Alert color="yellow" title={payouts.secondPerson}>
              {secondPerson.map((why) => payouts.because[why]).join(' ')}
            </Alert>
          )}
          <FormFrame
            form={form}
            action={secondPerson.length > 0 ? payouts.askForApproval : payouts.pay(lines.length)}
          >
            <Textarea
              label={payouts.reason}
              autosize
              minRows={2}
              maxLength={500}
              required
              {...form.field('reason')}
            />
          </FormFrame>
        </Stack>
      )}
    </Stack>
  )
}
