// The frame around every page of a signed-in person: navigation, search, the label of the mode, and the person's menu.
import { AppShell, Burger, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { shellWords } from '../words/shell.ts'
import { useWords } from '../words/use-words.tsx'
import { Brand } from './brand.tsx'
import { Environment } from './environment.tsx'
import { useSession } from './me.tsx'
import { Navigation } from './navigation.tsx'
import { PageOutlet } from './page-outlet.tsx'
import { Search } from './search.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'
import { useShortcuts } from './use-shortcuts.ts'
import { UserMenu } from './user-menu.tsx'

type Dialog = 'search' | 'help'

export function Shell() {
  const shell = useWords(shellWords)
  const { mode } = useSession()
  const [location] = useLocation()
  const [isOpen, navigation] = useDisclosure()
  const [dialog, setDialog] = useState<Dialog>()
  useShortcuts({ search: () => setDialog('search'), help: () => setDialog('help') })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes at every new address
  useEffect(navigation.close, [location])
  const close = () => setDialog(undefined)
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <a className="skip" href="#content">
        {shell.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="xs" wrap="nowrap" justify="space-between">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={navigation.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? shell.closeNavigation : shell.openNavigation}
            />
            <Brand />
            <Environment mode={mode} />
          </Group>
          <Search isOpen={dialog === 'search'} open={() => setDialog('search')} close={close} />
          <UserMenu showShortcuts={() => setDialog('help')} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={shell.navigation}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <PageOutlet />
      </AppShell.Main>
      {dialog === 'help' && <ShortcutHelp close={close} />}
    </AppShell>
  )
}
