// The page of the address, below the tabs of its entry.
import { Button, Stack } from '@mantine/core'
import { type ComponentType, lazy, Suspense } from 'react'
import { Link, Redirect, Route, Switch, useSearchParams } from 'wouter'
import { type Page, pages, pathOf } from '../pages.ts'
import { AddressTabs } from '../parts/address-tabs.tsx'
import { DialogHost } from '../parts/page-dialog.tsx'
import { EmptyState, LoadingLines, NoPermission } from '../parts/states.tsx'
import { useWords } from '../words/use-words.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { maySee, useMe, useMyPages } from './me.tsx'
import { useMyEntries } from './navigation.tsx'
import { PendingNote } from './pending-note.tsx'
import { useTitle } from './use-title.ts'

/** Made once, because a new lazy component would forget the state of the page. */
const loaded: ReadonlyMap<Page, ComponentType> = new Map(
  pages.map((page) => [page, lazy(async () => ({ default: await page.load() }))]),
)

export function PageOutlet() {
  const [home] = useMyEntries()
  return (
    <Switch>
      <Route path="/">{home === undefined ? <NothingToSee /> : <Redirect to={home.path} replace />}</Route>
      {pages.map((page) => (
        <Route key={page.path} path={page.path}>
          <Opened page={page} />
        </Route>
      ))}
      <Route>
        <NoPage />
      </Route>
    </Switch>
  )
}

function Opened({ page }: { readonly page: Page }) {
  const words = useWords()
  const me = useMe()
  const siblings = useMyPages().filter(({ entry, tab }) => entry === page.entry && tab !== false)
  const [params] = useSearchParams()
  const tabs = siblings.map((one) => {
    const path = pathOf(one)
    return { path, label: one.title(words), search: path.startsWith('/merchant-') ? merchantIn(params) : '' }
  })
  useTitle(page.title(words))
  const Content = loaded.get(page)
  if (Content === undefined || !maySee(me, page)) return <NoPermission />
  return (
    <Stack gap="lg">
      <PendingNote />
      <AddressTabs tabs={tabs} label={words.shell.sections} />
      <ErrorBoundary key={page.path}>
        <DialogHost>
          <Suspense fallback={<LoadingLines />}>
            <Content />
          </Suspense>
        </DialogHost>
      </ErrorBoundary>
    </Stack>
  )
}

/** Operators stay with the merchant that they have chosen. */
function merchantIn(params: URLSearchParams): string {
  const merNo = params.get('merNo')
  return merNo === null ? '' : `?merNo=${encodeURIComponent(merNo)}`
}

function NoPage() {
  const { shell } = useWords()
  useTitle(shell.noPage)
  return (
    <EmptyState title={shell.noPage} hint={shell.noPageHint}>
      <Button component={Link} href="/" variant="default">
        {shell.toStart}
      </Button>
    </EmptyState>
  )
}

function NothingToSee() {
  const { shell } = useWords()
  return <EmptyState title={shell.nothingToSee} hint={shell.nothingToSeeHint} />
}
