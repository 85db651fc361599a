// Catches errors of a page, so that the rest of the app can still be used.
import { Button } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { EmptyState } from '../parts/states.tsx'
import { shellWords } from '../words/shell.ts'
import { useWords } from '../words/use-words.tsx'

type Props = { readonly children: ReactNode }

export class ErrorBoundary extends Component<Props, { readonly isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? <Broken /> : this.props.children
  }
}

function Broken() {
  const shell = useWords(shellWords)
  return (
    <div role="alert">
      <EmptyState title={shell.crashed} hint={shell.crashedHint}>
        <Button variant="default" onClick={() => location.reload()}>
          {shell.reload}
        </Button>
      </EmptyState>
    </div>
  )
}
