/* Part of the tracer's library, of the probes and of the tests' MPI programs where they are built with the address sanitizer, so that
 * ranks do not look for leaks at their end: MPI forgets memory, much of it of components that it has unloaded by then, and what was
 * loaded in their place would be accused. What pas2p itself forgets is found where it is no rank. */
int __lsan_is_turned_off(void);

__attribute__((visibility("default"), weak)) int __lsan_is_turned_off(void)
{
	return 1;
}
