// The label on every page that shows the mode (sandbox or live).
import { shellWords } from '../words/shell.ts'
import { useWords } from '../words/use-words.tsx'

export function Environment({ mode }: { readonly mode: 'sandbox' | 'live' }) {
  const shell = useWords(shellWords)
  return (
    <>
      <div className="environment-line" data-mode={mode} />
      <span
        className="environment"
        data-mode={mode}
        {...(mode === 'sandbox' && { title: shell.sandboxHint })}
      >
        {shell[mode]}
      </span>
    </>
  )
}
