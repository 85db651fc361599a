// A slider over the moments of an order. For the chosen moment, it shows the order, the balances and the response that
// a query would have had.
import { Alert, Slider, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { CodeView } from '../../parts/code-view.tsx'
import { Facts } from '../../parts/facts.tsx'
import { formatMoment, Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { Loaded } from '../../parts/states.tsx'
import { TableFrame } from '../../parts/table-frame.tsx'
import { ordersWords } from '../../words/orders.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { OrderState } from './order-state.tsx'

type Props = {
  readonly tradeNo: string
  /** The moments at which something happened, oldest first. */
  readonly moments: readonly string[]
  /** The time at which the order was read. This is the last stop of the slider. */
  readonly readAtMs: number
}

export function TimeTravel({ tradeNo, moments, readAtMs }: Props) {
  const orders = useWords(ordersWords)
  const { locale } = useLanguage()
  // The chosen stop. Undefined means the last stop, even if new events add more stops.
  const [chosen, setChosen] = useState<number>()
  const now = moments.length
  const at = Math.min(chosen ?? now, now)
  // The browser's clock may be behind the server's clock. Therefore an event may be later than `readAtMs`.
  const moment = moments[at] ?? new Date(Math.max(readAtMs, ...moments.map(Date.parse))).toISOString()
  const past = useCall('GET /orders/:tradeNo/at', { params: { tradeNo }, query: { moment } })
  return (
    <Stack gap="md">
      <Text c="dimmed">{orders.timeTravelHint}</Text>
      <Slider
        min={0}
        max={now}
        step={1}
        value={at}
        onChange={(value) => setChosen(value === now ? undefined : value)}
        label={null}
        marks={Array.from({ length: now + 1 }, (_, value) => ({ value }))}
        thumbLabel={orders.moment}
        thumbProps={{ 'aria-valuetext': at === now ? orders.now : formatMoment(moment, locale, 'seconds') }}
      />
      <Title order={3} size="h5">
        {at === now && `${orders.now} · `}
        <Moment at={moment} show="seconds" />
      </Title>
      <Loaded query={past} lines={8}>
        {({ order, balances, answer, uncertain }) => (
          <Stack gap="md">
            {order === undefined ? (
              <Text>{orders.notYet}</Text>
            ) : (
              <Facts
                of={[
                  [orders.state, <OrderState key="state" of={order} />],
                  [orders.message, order.message],
                  [orders.settled, order.settled ? orders.yes : orders.no],
                  [orders.refunded, <Money key="refunded" value={order.refunded} />],
                ]}
              />
            )}
            <TableFrame label={orders.timeTravel}>
              <table className="data-table">
                <thead>
                  <tr>
                    <th scope="col">{orders.currency}</th>
                    <th scope="col" className="at-end">
                      {orders.available}
                    </th>
                    <th scope="col" className="at-end">
                      {orders.unsettled}
                    </th>
                    <th scope="col" className="at-end">
                      {orders.margin}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {balances.map(({ currency, available, unsettled, margin }) => (
                    <tr key={currency}>
                      <th scope="row">{currency}</th>
                      {[available, unsettled, margin].map((value, index) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: three columns in a fixed order
                        <td key={index} className="at-end">
                          <Money value={value} />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableFrame>
            {uncertain.length > 0 && (
              <Alert color="yellow" role="status">
                {orders.uncertain(uncertain.join(', '))}
              </Alert>
            )}
            <CodeView label={orders.answer} value={answer} />
          </Stack>
        )}
      </Loaded>
    </Stack>
  )
}
