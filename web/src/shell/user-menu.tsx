// The person's menu: profile, language, appearance, shortcuts, sign out.
import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { send } from '../api/send.ts'
import { Icon } from '../parts/icon.tsx'
import { languageIds, languages } from '../words/language.ts'
import { shellWords } from '../words/shell.ts'
import { useLanguage, useWords } from '../words/use-words.tsx'
import { useMe } from './me.tsx'

const schemes = ['auto', 'light', 'dark'] as const

export function UserMenu({ showShortcuts }: { readonly showShortcuts: () => void }) {
  const { language, speak } = useLanguage()
  const shell = useWords(shellWords)
  const me = useMe()
  const client = useQueryClient()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = async () => {
    await send('DELETE /session', {}).catch(() => undefined)
    client.clear()
    location.assign('/backoffice')
  }
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className="user-menu" aria-label={shell.userMenu(me.name)}>
          <Icon name="person" size={22} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {me.name}
          <br />
          {me.company}
        </Menu.Label>
        <Menu.Item component={Link} href="/settings/profile">
          {shell.profile}
        </Menu.Item>
        <Menu.Item onClick={showShortcuts}>{shell.shortcuts}</Menu.Item>
        <Menu.Divider />
        <Menu.Label>{shell.language}</Menu.Label>
        {languageIds.map((id) => (
          <Menu.Item
            key={id}
            onClick={() => speak(id)}
            rightSection={id === language && <Icon name="check" />}
          >
            {languages[id]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{shell.scheme}</Menu.Label>
        {schemes.map((id) => (
          <Menu.Item
            key={id}
            onClick={() => setColorScheme(id)}
            rightSection={id === colorScheme && <Icon name="check" />}
          >
            {shell.schemes[id]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>{shell.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
