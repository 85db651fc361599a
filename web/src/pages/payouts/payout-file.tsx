import { FileInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { partsWords } from '../../words/parts.ts'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'
import { type Entered, newKey } from './payout-preview.tsx'

/** Chooses a file with payouts. The file is checked as soon as it is chosen. */
export function PayoutFile({ check }: { readonly check: (entered: Entered) => void }) {
  const payouts = useWords(payoutsWords)
  const parts = useWords(partsWords)
  const [file, setFile] = useState<File | null>(null)
  const choose = async (chosen: File | null) => {
    setFile(chosen)
    if (chosen !== null) check({ key: newKey(), csv: await chosen.text(), name: chosen.name })
  }
  return (
    <Stack gap="md" maw={520}>
      <FileInput
        label={payouts.csvFile}
        placeholder={parts.chooseFile}
        description={payouts.csvHint}
        accept=".csv,text/csv"
        clearable
        value={file}
        onChange={(chosen) => void choose(chosen)}
      />
    </Stack>
  )
}
