// The head of a page (title, purpose and main actions) and the page's content.
import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  readonly title: string
  readonly hint?: string
  readonly actions?: ReactNode
  /** True if the actions stay at the bottom edge of a phone's screen while the page scrolls. */
  readonly actionsStay?: boolean
  readonly children: ReactNode
}

export function PageFrame({ title, hint, actions, actionsStay = false, children }: Props) {
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="md">
        <div className="page-head">
          <Title order={1} size="h2">
            {title}
          </Title>
          {hint !== undefined && <Text c="dimmed">{hint}</Text>}
        </div>
        {actions !== undefined && (
          <Group gap="sm" {...(actionsStay && { className: 'page-actions' })}>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  )
}
