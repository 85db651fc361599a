// A list of events in order, each with its time and its author. Details unfold below the event.
import type { ReactNode } from 'react'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'
import { Moment } from './moment.tsx'
import type { Tone } from './state-label.tsx'
import { EmptyState } from './states.tsx'

export type Happening = {
  readonly key: string
  readonly at: string
  readonly title: ReactNode
  readonly by?: string
  readonly tone?: Tone
  readonly details?: ReactNode
}

export function Timeline({ of }: { readonly of: readonly Happening[] }) {
  const parts = useWords(partsWords)
  if (of.length === 0) return <EmptyState title={parts.nothingYet} />
  return (
    <ol className="timeline">
      {of.map(({ key, at, title, by, tone = 'neutral', details }) => (
        <li key={key} data-tone={tone}>
          <div className="timeline-head">
            <span className="timeline-title">{title}</span>
            <span className="timeline-at">
              {by !== undefined && `${by} · `}
              <Moment at={at} show="seconds" />
            </span>
          </div>
          {details !== undefined && (
            <details>
              <summary>{parts.opensPanel}</summary>
              {details}
            </details>
          )}
        </li>
      ))}
    </ol>
  )
}
