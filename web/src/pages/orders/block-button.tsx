import { Button } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'
import { BlockDialog } from './block-dialog.tsx'

/** Only for people who may edit the block list. */
export function BlockButton({ tradeNo }: { readonly tradeNo: string }) {
  const { risk } = useWords()
  const may = useMay()
  const [isOpen, setIsOpen] = useState(false)
  if (!may('risk.edit')) return null
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {risk.blockPayer}
      </Button>
      {isOpen && <BlockDialog tradeNo={tradeNo} close={() => setIsOpen(false)} />}
    </>
  )
}
