// The frame of the pages for people without a session.
import { Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Brand } from '../../shell/brand.tsx'
import { Environment } from '../../shell/environment.tsx'
import { LanguageSwitch } from '../../shell/language-switch.tsx'
import type { Session } from '../../shell/me.tsx'
import { useTitle } from '../../shell/use-title.ts'

type Props = { readonly session: Session; readonly title: string; readonly children: ReactNode }

export function Card({ session, title, children }: Props) {
  useTitle(title)
  return (
    <main className="sign-in">
      <Stack className="sign-in-card" gap="lg">
        <Group justify="space-between">
          <Brand />
          <Environment mode={session.mode} />
        </Group>
        {children}
      </Stack>
      <LanguageSwitch />
    </main>
  )
}
