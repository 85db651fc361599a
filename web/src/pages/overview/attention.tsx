// Work that waits, each kind with a link to its page. People see only kinds whose page their role may open.
import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { StateLabel } from '../../parts/state-label.tsx'
import { useMay } from '../../shell/me.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useWords } from '../../words/use-words.tsx'

export function Attention({ of }: { readonly of: Reply<'GET /overview'>['attention'] }) {
  const overview = useWords(overviewWords)
  const may = useMay()
  const items = [
    ['disputes.read', overview.disputes, of.disputes, '/disputes/cases?state=open'],
    ['reviews.read', overview.informationAsked, of.informationAsked, '/disputes/reviews'],
    ['payouts.read', overview.approvals, of.approvals, '/payouts/approvals'],
    [
      'developers.read',
      overview.failedNotifications,
      of.failedNotifications,
      '/developers/notifications?state=failed',
    ],
    ['payouts.read', overview.payoutsToApprove, of.payoutsToApprove, '/payouts?state=awaiting_approval'],
    ['refunds.read', overview.refundsToApprove, of.refundsToApprove, '/refunds?state=waiting'],
  ] as const
  const waiting = items.filter(([permission, , count]) => count > 0 && may(permission))
  if (waiting.length === 0) return <Text c="dimmed">{overview.nothingWaits}</Text>
  return (
    <Stack gap="xs">
      {waiting.map(([, label, count, path]) => (
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
