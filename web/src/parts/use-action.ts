// Runs an action that does not belong to a form. Only one run is active at a time. A refusal becomes a problem that can
// be shown.
import { useRef, useState } from 'react'
import { Refusal } from '../api/refusal.ts'
import { useProblemText } from './problem-text.ts'

export type Action = {
  readonly isRunning: boolean
  readonly problem: string | undefined
  run(work: () => Promise<unknown>): void
}

export function useAction(): Action {
  const problemText = useProblemText()
  const [isRunning, setIsRunning] = useState(false)
  const [problem, setProblem] = useState<string>()
  // A ref is needed, because state changes too late to stop the second of two quick clicks.
  const isBusy = useRef(false)
  const start = async (work: () => Promise<unknown>) => {
    if (isBusy.current) return
    isBusy.current = true
    setIsRunning(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setProblem(problemText(error))
    } finally {
      isBusy.current = false
      setIsRunning(false)
    }
  }
  return { isRunning, problem, run: (work) => void start(work) }
}
