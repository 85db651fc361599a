// The panel next to the list that shows one order: its facts, its money and its timeline. The order's own page shows
// everything else.
import { Button, Group, Stack, Title } from '@mantine/core'
import { Link } from 'wouter'
import { useCall } from '../../api/use-call.ts'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Loaded } from '../../parts/states.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { ordersWords } from '../../words/orders.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { happeningsOf } from './happenings.tsx'
import { OrderFacts, OrderMoney } from './order-facts.tsx'
import { RefundButton } from './refund-button.tsx'

export function OrderPanel({ tradeNo, back }: { readonly tradeNo: string; readonly back: string }) {
  const orders = useWords(ordersWords)
  const { locale } = useLanguage()
  const order = useCall('GET /orders/:tradeNo', { params: { tradeNo } })
  return (
    <SidePanel title={orders.page} back={back}>
      <Loaded query={order} lines={12}>
        {(view) => (
          <Stack gap="lg">
            <Group gap="sm">
              <Button component={Link} href={`/order/${tradeNo}`} variant="default">
                {orders.openPage}
              </Button>
              <RefundButton view={view} />
            </Group>
            <OrderFacts view={view} />
            <section>
              <Title order={2} size="h5" mb="sm">
                {orders.money}
              </Title>
              <OrderMoney view={view} />
            </section>
            <section>
              <Title order={2} size="h5" mb="sm">
                {orders.timeline}
              </Title>
              <Timeline of={happeningsOf(view, orders, locale)} />
            </section>
          </Stack>
        )}
      </Loaded>
    </SidePanel>
  )
}
