// The page that belongs to the address, below the tabs of its entry in the navigation.
import { Alert, Button, Stack } from '@mantine/core'
import { type ComponentType, lazy, Suspense } from 'react'
import { Link, Redirect, Route, Switch, useSearchParams } from 'wouter'
import { useCall } from '../api/use-call.ts'
import { pages } from '../pages.ts'
import { AddressTabs } from '../parts/address-tabs.tsx'
import { DialogHost } from '../parts/page-dialog.tsx'
import { EmptyState, LoadingLines, NoPermission } from '../parts/states.tsx'
import { shellWords } from '../words/shell.ts'
import { useLanguage, useWords } from '../words/use-words.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { isOperator, maySee, useMe, useMyPages } from './me.tsx'
import { useMyEntries } from './navigation.tsx'
import { type Page, pathOf } from './page.ts'
import { useTitle } from './use-title.ts'

/** Each lazy component is made only once, because a new one would lose the state of its page. */
const loaded: ReadonlyMap<string, ComponentType> = new Map(
  pages.map(({ path, load }) => [path, lazy(async () => ({ default: await load() }))]),
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
  const shell = useWords(shellWords)
  const { language } = useLanguage()
  const me = useMe()
  const siblings = useMyPages().filter(({ entry, tab }) => entry === page.entry && tab !== false)
  const [params] = useSearchParams()
  const tabs = siblings.map((one) => {
    const path = pathOf(one)
    return {
      path,
      label: one.title(language),
      search: path.startsWith('/merchant-') || path === '/orders' ? merchantIn(params) : '',
    }
  })
  useTitle(page.title(language))
  const Content = loaded.get(page.path)
  if (Content === undefined || !maySee(me, page)) return <NoPermission />
  return (
    <Stack gap="lg">
      <PendingNote />
      <AddressTabs tabs={tabs} label={shell.sections} />
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

function PendingNote() {
  const shell = useWords(shellWords)
  const { data } = useCall('GET /company', {}, { enabled: !isOperator(useMe()) })
  if (data?.state !== 'pending') return null
  return (
    <Alert color="yellow" title={shell.pending}>
      {shell.pendingHint}
    </Alert>
  )
}

/**
 * Returns the search parameter of the merchant that an operator has chosen, so that the other tabs show the same
 * merchant.
 */
function merchantIn(params: URLSearchParams): string {
  const merNo = params.get('merNo')
  return merNo === null ? '' : `?merNo=${encodeURIComponent(merNo)}`
}

function NoPage() {
  const shell = useWords(shellWords)
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
  const shell = useWords(shellWords)
  return <EmptyState title={shell.nothingToSee} hint={shell.nothingToSeeHint} />
}
