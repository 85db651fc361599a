// A part of a page with its own heading, such as a group of settings.
import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = { readonly title: string; readonly hint?: string; readonly children: ReactNode }

export function Section({ title, hint, children }: Props) {
  return (
    <Stack component="section" gap="md" className="section">
      <div>
        <Title order={2} size="h3">
          {title}
        </Title>
        {hint !== undefined && (
          <Text c="dimmed" size="sm">
            {hint}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  )
}
