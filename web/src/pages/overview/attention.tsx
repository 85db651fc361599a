// Work that waits. Each line links to the page on which the work is done. People see only lines whose pages they may
// open.
import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Permission } from '../../../../src/people/roles/permissions.ts'
import type { Reply } from '../../api/send.ts'
import { formatMoment } from '../../parts/moment.tsx'
import { formatMoney } from '../../parts/money.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { useMay } from '../../shell/me.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { isFailing } from '../operations/endpoint-health.tsx'

type Overview = Pick<Reply<'GET /overview'>, 'attention' | 'balances'>

type Line = {
  readonly key: string
  readonly needs: Permission
  readonly label: string
  readonly path: string
  readonly state: string
  readonly tone: Tone
}

export function Attention({ of }: { readonly of: Overview }) {
  const overview = useWords(overviewWords)
  const may = useMay()
  const lines = [...useUrgent(of), ...useCounted(of)].filter(({ needs }) => may(needs))
  if (lines.length === 0) return <Text c="dimmed">{overview.nothingWaits}</Text>
  return (
    <Stack component="ul" gap="xs" maw={720} className="bare-list">
      {lines.map(({ key, label, path, state, tone }) => (
        <Group key={key} component="li" justify="space-between" style={{ rowGap: 0 }}>
          <Anchor component={Link} href={path}>
            {label}
          </Anchor>
          <StateLabel tone={tone}>{state}</StateLabel>
        </Group>
      ))}
    </Stack>
  )
}

/** Returns lines that are each about a single dispute, server, key or balance. */
function useUrgent({ attention, balances }: Overview): readonly Line[] {
  const overview = useWords(overviewWords)
  const { locale } = useLanguage()
  return [
    ...attention.disputesDue.map(({ tradeNo, money, answerBy }) => ({
      key: tradeNo,
      needs: 'disputes.read' as const,
      label: overview.disputeOver(formatMoney(money, locale)),
      path: `/disputes/cases/${tradeNo}`,
      state: overview.answerBy(formatMoment(answerBy, locale, 'date')),
      tone: 'waiting' as const,
    })),
    ...attention.endpoints.filter(isFailing).map(({ origin, acknowledged, attempts }) => ({
      key: origin,
      needs: 'developers.read' as const,
      label: overview.failingServer(origin),
      path: '/developers/notifications',
      state: overview.acknowledgedOf(acknowledged, attempts),
      tone: 'error' as const,
    })),
    ...attention.endingKeys.map(({ keyId, retiresAt, usedAt }) => ({
      key: keyId,
      needs: 'developers.read' as const,
      label: usedAt === null ? overview.oldKey : overview.oldKeyUsed(formatMoment(usedAt, locale)),
      path: '/developers/keys',
      state: overview.endsAt(formatMoment(retiresAt, locale)),
      tone: 'waiting' as const,
    })),
    ...balances
      .filter(({ available }) => available.amount.startsWith('-'))
      .map(({ currency, available }) => ({
        key: currency,
        needs: 'statements.read' as const,
        label: overview.negativeBalance(currency),
        path: '/statements',
        state: formatMoney(available, locale),
        tone: 'error' as const,
      })),
  ]
}

/** Returns lines that each show how many items wait on a page. */
function useCounted({ attention: of }: Overview): readonly Line[] {
  const overview = useWords(overviewWords)
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
  return items
    .filter(([, , count]) => count > 0)
    .map(([needs, label, count, path]) => {
      const state = count >= of.mostCounted ? overview.orMore(count) : String(count)
      return { key: label, needs, label, path, state, tone: 'waiting' }
    })
}
