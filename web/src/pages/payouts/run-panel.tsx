import { Stack } from '@mantine/core'
import { type RowOf, useCall } from '../../api/use-call.ts'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { Loaded } from '../../parts/states.tsx'
import { fieldTextWords } from '../../words/field-text.ts'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'
import { PayeeText } from './payee-text.tsx'

const REFRESH_MS = 2_000
export const runTones: Readonly<Record<RowOf<'GET /payouts/runs'>['state'], Tone>> = {
  waiting: 'waiting',
  released: 'waiting',
  done: 'done',
  rejected: 'neutral',
  expired: 'neutral',
}
const lineTones: Readonly<Record<string, Tone>> = { made: 'done', refused: 'error', waiting: 'waiting' }

export function RunPanel({ runId, back }: { readonly runId: string; readonly back: string }) {
  const payouts = useWords(payoutsWords)
  const fieldText = useWords(fieldTextWords)
  const found = useCall('GET /payouts/runs/:runId', { params: { runId } }, { refetchInterval: REFRESH_MS })
  return (
    <SidePanel title={payouts.run} back={back} wide>
      <Loaded query={found} lines={8}>
        {({ run, lines }) => (
          <Stack gap="lg">
            <Facts
              of={[
                [
                  payouts.state,
                  <StateLabel key="state" tone={runTones[run.state]}>
                    {payouts.runStates[run.state]}
                  </StateLabel>,
                ],
                [payouts.created, <Moment key="at" at={run.createdAt} show="seconds" />],
                [payouts.by, run.createdBy],
                [payouts.reason, run.reason],
                [payouts.csvFile, run.name],
                [payouts.made, `${run.made} / ${run.lines}`],
              ]}
            />
            <PlainTable label={payouts.lines}>
              <thead>
                <tr>
                  <th scope="col">{payouts.beneficiary}</th>
                  <th scope="col">{payouts.state}</th>
                  <th scope="col" className="at-end">
                    {payouts.amount}
                  </th>
                </tr>
              </thead>
              <tbody>
                {lines.map((line) => (
                  <tr key={line.line}>
                    <td>
                      <PayeeText of={line} />
                    </td>
                    <td title={line.problem && fieldText(line.problem)}>
                      <StateLabel tone={lineTones[line.state] ?? 'neutral'}>
                        {line.problem === undefined
                          ? payouts.lineStates[line.state]
                          : fieldText(line.problem)}
                      </StateLabel>
                    </td>
                    <td className="at-end">
                      <Money value={line.money} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
          </Stack>
        )}
      </Loaded>
    </SidePanel>
  )
}
