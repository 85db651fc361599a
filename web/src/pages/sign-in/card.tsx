// The frame of the pages for people without a session.
import { Group, Stack, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Brand } from '../../shell/brand.tsx'
import { Environment } from '../../shell/environment.tsx'
import type { Session } from '../../shell/me.tsx'
import { useTitle } from '../../shell/use-title.ts'
import { languageIds, languages } from '../../words/language.ts'
import { shellWords } from '../../words/shell.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'

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

function LanguageSwitch() {
  const shell = useWords(shellWords)
  const { language, speak } = useLanguage()
  return (
    <Group gap="xs" role="group" aria-label={shell.language}>
      {languageIds.map((id) => (
        <UnstyledButton
          key={id}
          className="language"
          lang={id}
          aria-pressed={id === language}
          onClick={() => speak(id)}
        >
          {languages[id]}
        </UnstyledButton>
      ))}
    </Group>
  )
}
