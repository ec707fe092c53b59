"""pas2p for Spack: the source is that of a folder (dev_path), or pas2p-VERSION.tar.xz (make dist) in the current one."""

import os

from spack.package import *

try:
    from spack_repo.builtin.build_systems.makefile import MakefilePackage
except ImportError:  # before Spack 1.0 it came with spack.package
    pass


class Pas2p(MakefilePackage):
    """Finds the phases of a message-passing program in a trace of one run, shows where the time went, and predicts the
    run on other machines. Reads traces in the formats OTF2, Paraver and CLOG2, and writes its own."""

    manual_download = True

    version("0.1.0")

    variant("mpi", default=True, description="Trace and measure programs that use this MPI")
    variant("otf2", default=True, description="Read and write OTF2 (Score-P, TAU)")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("ncurses")
    depends_on("libyaml")
    depends_on("pcre2")
    depends_on("nettle")
    depends_on("zlib-api")
    depends_on("xz")
    depends_on("zstd")
    depends_on("otf2", when="+otf2")
    depends_on("mpi", when="+mpi")

    def url_for_version(self, version):
        return f"file://{os.getcwd()}/pas2p-{version}.tar.xz"

    @property
    def settings(self):
        """What make is told: the same to build and to install."""
        openmpi = mpich = ""
        if self.spec.satisfies("+mpi"):
            mpicc = self.spec["mpi"].mpicc
            # All others there are descend from MPICH.
            if self.spec["mpi"].name == "openmpi":
                openmpi = mpicc
            else:
                mpich = mpicc
        settings = ["NO_WERROR=1", f"PREFIX={self.prefix}", f"MPICC_OPENMPI={openmpi}", f"MPICC_MPICH={mpich}"]
        if self.spec.satisfies("~otf2"):
            settings.append("OTF2=no")
        return settings

    def build(self, spec, prefix):
        make("all", *self.settings)

    def install(self, spec, prefix):
        make("install", *self.settings)
