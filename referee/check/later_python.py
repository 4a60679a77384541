"""What came after CPython 3.6: modules and names of the standard library, with the version that brought them.

The numbers are those of the minor version: 8 is CPython 3.8.
"""

MODULES = {
    7: "dataclasses contextvars importlib.resources",
    8: "importlib.metadata multiprocessing.shared_memory",
    9: "zoneinfo graphlib",
    11: "tomllib wsgiref.types",
    14: "annotationlib compression concurrent.interpreters string.templatelib",
}
NAMES = {
    7: """time.process_time_ns time.perf_counter_ns time.monotonic_ns time.time_ns time.thread_time
        contextlib.nullcontext contextlib.asynccontextmanager contextlib.AsyncExitStack asyncio.run
        asyncio.get_running_loop asyncio.create_task queue.SimpleQueue gc.freeze gc.unfreeze
        subprocess.CREATE_NO_WINDOW typing.ForwardRef typing.OrderedDict math.remainder
        sys.breakpointhook types.MethodDescriptorType uuid.SafeUUID builtins.breakpoint""",
    8: """math.isqrt math.prod math.dist math.comb math.perm functools.cached_property
        functools.singledispatchmethod statistics.fmean statistics.geometric_mean statistics.multimode
        statistics.quantiles statistics.NormalDist typing.Literal typing.Final typing.final typing.Protocol
        typing.TypedDict typing.runtime_checkable typing.SupportsIndex typing.get_origin typing.get_args
        shlex.join sys.addaudithook sys.audit sys.unraisablehook threading.excepthook
        threading.get_native_id pickle.PickleBuffer os.add_dll_directory os.memfd_create""",
    9: """math.lcm math.nextafter math.ulp functools.cache random.randbytes typing.Annotated
        types.GenericAlias ast.unparse ast.indent asyncio.to_thread importlib.resources.files
        os.pidfd_open os.waitstatus_to_exitcode sys.platlibdir""",
    10: """itertools.pairwise statistics.correlation statistics.covariance statistics.linear_regression
        typing.ParamSpec typing.Concatenate typing.TypeAlias typing.TypeGuard typing.is_typeddict
        types.NoneType types.EllipsisType types.NotImplementedType types.UnionType inspect.get_annotations
        sys.stdlib_module_names sys.orig_argv contextlib.aclosing contextlib.AsyncContextDecorator
        builtins.aiter builtins.anext builtins.EncodingWarning""",
    11: """math.cbrt math.exp2 enum.StrEnum enum.ReprEnum enum.EnumCheck enum.FlagBoundary enum.verify
        enum.member enum.nonmember enum.global_enum enum.property operator.call datetime.UTC
        typing.Self typing.Never typing.LiteralString typing.assert_never typing.assert_type
        typing.reveal_type typing.Required typing.NotRequired typing.Unpack typing.TypeVarTuple
        typing.dataclass_transform typing.get_overloads contextlib.chdir asyncio.TaskGroup asyncio.timeout
        asyncio.Runner hashlib.file_digest sys.exception inspect.getmembers_static
        builtins.ExceptionGroup builtins.BaseExceptionGroup""",
    12: """math.sumprod itertools.batched random.binomialvariate typing.override typing.TypeAliasType
        sys.monitoring sys.activate_stack_trampoline inspect.markcoroutinefunction types.get_original_bases
        collections.abc.Buffer calendar.Month calendar.Day""",
    13: """math.fma copy.replace os.process_cpu_count typing.ReadOnly typing.TypeIs
        typing.NoDefault warnings.deprecated queue.ShutDown statistics.kde statistics.kde_random
        builtins.PythonFinalizationError types.CapsuleType""",
    14: """heapq.heappush_max heapq.heappop_max heapq.heapify_max operator.is_none operator.is_not_none
        functools.Placeholder uuid.uuid6 uuid.uuid7 uuid.uuid8""",
}
# Methods, known by their name alone: a package's own method of that name is not meant.
METHODS = {
    7: "isascii",
    9: "removeprefix removesuffix is_relative_to with_stem",
    10: "bit_count hardlink_to",
}
# Keywords of functions and of methods of any object.
KEYWORDS = {
    ("zip", "strict"): 10,
    ("sum", "start"): 8,
    ("accumulate", "initial"): 8,
    ("bisect", "key"): 10,
    ("bisect_left", "key"): 10,
    ("bisect_right", "key"): 10,
    ("insort", "key"): 10,
    ("insort_left", "key"): 10,
    ("insort_right", "key"): 10,
    ("dataclass", "slots"): 10,
    ("dataclass", "kw_only"): 10,
    ("namedtuple", "defaults"): 7,
}
GENERIC = {"list", "dict", "set", "frozenset", "tuple", "type"}  # whose list[int] came with 3.9
GENERIC_OF = {
    "collections": {"deque", "defaultdict", "OrderedDict", "Counter", "ChainMap"},
    "collections.abc": None,  # all
    "re": {"Pattern", "Match"},
    "queue": {"Queue", "SimpleQueue", "PriorityQueue", "LifoQueue"},
}


def versions(table: dict[int, str]) -> dict[str, int]:
    """The version of each name of a table."""
    return {name: minor for minor, names in table.items() for name in names.split()}
