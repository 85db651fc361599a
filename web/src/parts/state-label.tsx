// A state as a label with a dot. Green is used only for done, amber only for waiting, and red only for errors.
export type Tone = 'done' | 'waiting' | 'error' | 'neutral'

export function StateLabel({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className="state-label" data-tone={tone}>
      <span className="state-dot" aria-hidden="true" />
      {children}
    </span>
  )
}
