// What waits for somebody, each with the page where it is dealt with.
import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { StateLabel } from '../../parts/state-label.tsx'
import { useWords } from '../../words/use-words.tsx'
import type { OverviewData } from './overview-page.tsx'

export function Attention({ of }: { readonly of: OverviewData['attention'] }) {
  const { overview } = useWords()
  const items = [
    [overview.disputes, of.disputes, '/orders?state=12'],
    [overview.informationAsked, of.informationAsked, '/orders?state=24'],
    [overview.failedNotifications, of.failedNotifications, '/developers/notifications'],
    [overview.payoutsToApprove, of.payoutsToApprove, '/payouts'],
    [overview.refundsToApprove, of.refundsToApprove, '/orders?state=10'],
  ] as const
  const waiting = items.filter(([, count]) => count > 0)
  if (waiting.length === 0) return <Text c="dimmed">{overview.nothingWaits}</Text>
  return (
    <Stack gap="xs">
      {waiting.map(([label, count, path]) => (
        <Group key={label} justify="space-between">
          <Anchor component={Link} href={path}>
            {label}
          </Anchor>
          <StateLabel tone="waiting">
            {count >= of.mostCounted ? overview.orMore(count) : String(count)}
          </StateLabel>
        </Group>
      ))}
    </Stack>
  )
}
