// The trial of a rule: the effect that the rule would have had on the orders of the last 30 days.
import { Alert, Anchor, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { useSend } from '../../api/use-call.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { formatMoment, Moment } from '../../parts/moment.tsx'
import { formatMoney, Money } from '../../parts/money.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { useMay } from '../../shell/me.tsx'
import { riskWords } from '../../words/risk.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'

type Whole = Reply<'GET /risk/rules/:ruleId'>
type Trial = NonNullable<Whole['trial']>

export function TrialPart({ whole: { rule, trial, run } }: { readonly whole: Whole }) {
  const risk = useWords(riskWords)
  const { locale } = useLanguage()
  const may = useMay()
  const start = useSend('POST /risk/rules/:ruleId/try')
  const isRunning = run?.state === 'running'
  const moment = (at: string) => formatMoment(at, locale)
  const dollars = (amount: string) => formatMoney({ amount, currency: 'USD' }, locale)
  return (
    <Stack component="section" gap="sm">
      <Title order={3} size="h5">
        {risk.trial}
      </Title>
      {isRunning && <StateLabel tone="waiting">{risk.trying(...progressOf(run.progress))}</StateLabel>}
      {run?.state === 'failed' && trial === null && <StateLabel tone="error">{risk.tryFailed}</StateLabel>}
      {trial === null ? (
        !isRunning && <Text c="dimmed">{risk.notTried}</Text>
      ) : (
        <>
          {trial.covers !== undefined && (
            <Alert color="yellow" role="status">
              {risk.triedInPart(moment(trial.covers.from), moment(trial.covers.until))}
            </Alert>
          )}
          <Text>{risk.tried(trial.hits, trial.orders, dollars(trial.usd))}</Text>
          {trial.hits > 0 && (
            <>
              <Outcomes trial={trial} />
              <Examples trial={trial} />
            </>
          )}
        </>
      )}
      {may('risk.edit') && !isRunning && (
        <ActionButton run={() => start({ params: { ruleId: rule.ruleId } })}>
          {trial === null ? risk.tryNow : risk.tryAgain}
        </ActionButton>
      )}
    </Stack>
  )
}

function progressOf({ done, total }: Readonly<Record<string, unknown>>): [number, number] {
  return [typeof done === 'number' ? done : 0, typeof total === 'number' ? total : 30]
}

function Outcomes({ trial }: { readonly trial: Trial }) {
  const risk = useWords(riskWords)
  return (
    <PlainTable label={risk.outcome}>
      <thead>
        <tr>
          <th scope="col">{risk.outcome}</th>
          <th scope="col" className="at-end">
            {risk.orders}
          </th>
          <th scope="col" className="at-end">
            {risk.value}
          </th>
        </tr>
      </thead>
      <tbody>
        {trial.outcomes.map(({ name, orders, usd }) => (
          <tr key={name}>
            <td>{risk.outcomes[name]}</td>
            <td className="at-end">{orders}</td>
            <td className="at-end">
              <Money value={{ amount: usd, currency: 'USD' }} />
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}

function Examples({ trial }: { readonly trial: Trial }) {
  const risk = useWords(riskWords)
  return (
    <PlainTable label={risk.examples}>
      <thead>
        <tr>
          <th scope="col">{risk.examples}</th>
          <th scope="col">{risk.outcome}</th>
          <th scope="col" className="at-end">
            {risk.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {trial.examples.map(({ tradeNo, at, money, outcome }) => (
          <tr key={tradeNo}>
            <td>
              <Anchor component={Link} href={`/order/${tradeNo}`} size="sm">
                <Moment at={at} />
              </Anchor>
            </td>
            <td>{risk.outcomes[outcome]}</td>
            <td className="at-end">
              <Money value={money} />
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}
