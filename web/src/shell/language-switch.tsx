// The languages, each in its own words.
import { Group, UnstyledButton } from '@mantine/core'
import { languageIds, languages } from '../words/language.ts'
import { useLanguage } from '../words/use-words.tsx'

export function LanguageSwitch() {
  const { words, language, speak } = useLanguage()
  return (
    <Group gap="xs" role="group" aria-label={words.shell.language}>
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
